console.log('no trials')
